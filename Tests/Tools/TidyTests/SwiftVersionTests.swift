import TestSupport
import Testing

/// Tests that pages require the Swift version of the manifest.
@Suite(.ownThreads) struct SwiftVersionTests {
  @Test(arguments: [
    "README.md", "CONTRIBUTING.md", "Makefile", "Dockerfile", "docs/guides/your-own.md",
    "docs/gymrats/client.md", "Examples/orders/README.md", "Examples/invoices/README.md",
  ])
  func `a page asks for the Swift of the manifest or a newer one`(page: String) throws {
    let manifest = try Checkout.text("Package.swift")
    let version = try #require(manifest.firstMatch(of: /swift-tools-version: (\S+)/)?.output.1)
    let text = try Checkout.text(page)
    let named = text.matches(of: /\bSwift ([0-9][0-9.]*[0-9]|[0-9]+)/)
    #expect(!named.isEmpty, "\(page)")
    for one in named {
      #expect(
        one.output.1 == version && text[one.range.upperBound...].hasPrefix(" or newer"),
        "\(page): \(one.output.0)")
    }
  }
}
