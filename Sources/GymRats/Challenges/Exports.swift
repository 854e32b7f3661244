// An app needs one import: the wire format, dates and clocks are those of both products.
@_exported public import ProductKit
