"""Rules about what bytes bind by number: slots, offsets, and the numbers of enums and unions."""
