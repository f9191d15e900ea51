"""Repositories in which every key and attribute that names a program names one that leaves a mark."""

from __future__ import annotations

from tests.support.repositories import Repository

HOOKS = (
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "p4-changelist",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
    "update",
)
"""What `git help hooks` lists."""

PROGRAMS = (
    "alias.cat-file",
    "alias.rev-parse",
    "browser.evil.cmd",
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.fsmonitor",
    "core.gitProxy",
    "core.pager",
    "core.sshCommand",
    "credential.helper",
    "diff.evil.command",
    "diff.evil.textconv",
    "diff.external",
    "difftool.evil.cmd",
    "filter.evil.clean",
    "filter.evil.process",
    "filter.evil.smudge",
    "gpg.openpgp.program",
    "gpg.program",
    "gpg.ssh.defaultKeyCommand",
    "gpg.ssh.program",
    "gpg.x509.program",
    "guitool.evil.cmd",
    "interactive.diffFilter",
    "merge.evil.driver",
    "mergetool.evil.cmd",
    "pager.cat-file",
    "pager.diff",
    "pager.log",
    "remote.origin.receivepack",
    "remote.origin.uploadpack",
    "sequence.editor",
    "tar.evil.command",
    "trailer.evil.cmd",
    "trailer.evil.command",
    "uploadpack.packObjectsHook",
    "web.browser",
)
"""The keys that name a program, as `git help config` lists them."""

SETTINGS = {
    "core.untrackedCache": "true",
    "core.splitIndex": "true",
    "diff.evil.cachetextconv": "true",
    "diff.renames": "copies",
    "diff.trustExitCode": "true",
    "extensions.partialClone": "origin",
    "fetch.recurseSubmodules": "true",
    "filter.evil.required": "true",
    "log.showSignature": "true",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "remote.origin.promisor": "true",
    "status.submoduleSummary": "true",
    "submodule.recurse": "true",
}
"""What makes git use more of them, more often."""

ATTRIBUTES = "* filter=evil diff=evil merge=evil text=auto\n"


def setting(key, value):
    """A setting as it stands in a file."""
    section, *of, name = key.split(".", 2) if key.count(".") > 1 else key.split(".")
    escaped = value.replace('"', '\\"')
    heading = " ".join([section, *(f'"{item}"' for item in of)])
    return f'[{heading}]\n\t{name} = "{escaped}"\n'


class Rigged(Repository):
    """A repository that is honest until it is rigged."""

    def rig(self):
        """Set every trap; what git itself does from here on sets them off."""
        self.marks.mkdir()
        program = self.top / ".git" / "leave-a-mark"
        program.write_text(f'#!/bin/sh\necho "$0 $*" > "{self.marks}/$(basename "$1")"\nexit 1\n')
        program.chmod(0o755)
        hooks = self.top / ".git" / "rigged-hooks"
        for folder in (self.top / ".git" / "hooks", hooks):
            folder.mkdir(exist_ok=True)
            for name in HOOKS:
                (folder / name).write_text(f'#!/bin/sh\nexec "{program}" hook-{name}\n')
                (folder / name).chmod(0o755)
        keys = {key: f'"{program}" {key}' for key in PROGRAMS} | SETTINGS | {"core.hooksPath": str(hooks)}
        keys["remote.origin.url"] = f"ext::{program} remote.origin.url"
        keys["core.repositoryFormatVersion"] = "1"
        with (self.top / ".git" / "config").open("a") as config:
            config.writelines(map(setting, *zip(*keys.items(), strict=True)))
        (self.top / ".git" / "info").mkdir(exist_ok=True)
        (self.top / ".git" / "info" / "attributes").write_text(ATTRIBUTES)
        (self.top / ".gitattributes").write_text(ATTRIBUTES)
        return self

    @property
    def marks(self):
        return self.top.parent / f"{self.top.name}-marks"

    def marked(self):
        """The traps that were set off."""
        return sorted(path.name for path in self.marks.iterdir())
