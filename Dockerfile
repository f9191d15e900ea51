# opspec-lint with git, for CI systems that run containers:
#   docker build --tag opspec-lint .
#   docker run --rm --volume "$PWD:/work" opspec-lint check --base origin/main
FROM python:3.13-slim

RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && git config --system --add safe.directory /work

COPY requirements/action.txt /tmp/build/requirements/action.txt
RUN pip install --no-cache-dir --require-hashes --requirement /tmp/build/requirements/action.txt

COPY . /tmp/build
RUN pip install --no-cache-dir --no-deps --no-build-isolation /tmp/build && rm -rf /tmp/build

RUN useradd --create-home checker
USER checker
WORKDIR /work
ENTRYPOINT ["opspec-lint"]
CMD ["--help"]
