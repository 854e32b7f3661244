// An app needs one import: instants, dates and clocks are those of both products.
@_exported public import ProductKit
