import Foundation
import TestSupport
import Testing

/// Tests that files with secrets are excluded from the repository, from a package that `init`
/// creates, and from an image.
@Suite(.ownThreads) struct IgnoredSecretsTests {
  @Test(arguments: [
    ".gitignore", "Examples/orders/.gitignore", "Examples/invoices/.gitignore", ".dockerignore",
    "Examples/orders/.dockerignore", "Examples/invoices/.dockerignore",
  ])
  func `the list of what is ignored names files with secrets`(list: String) throws {
    let lines = try Checkout.text(list).replacing("**/", with: "").split(separator: "\n")
      .map(String.init)
    for name in [".env", ".pgpass", "pg_service.conf", "*.password", "*.key", "*.pem", "*.p12"] {
      #expect(lines.contains(name), "\(name)")
    }
  }
}
