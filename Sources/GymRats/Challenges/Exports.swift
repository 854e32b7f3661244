// An app needs only one import, because both products use the same types for instants, dates and
// clocks.
@_exported public import ProductKit
