import Foundation
import TestSupport
import Testing

/// Files with secrets stay out of the repository, of a package that `init` makes, and of an image.
@Suite struct IgnoredSecretsTests {
  @Test(arguments: [".gitignore", "Examples/orders/.gitignore", ".dockerignore"])
  func `the list of what is ignored names files with secrets`(list: String) throws {
    let lines = try Checkout.text(list).replacing("**/", with: "").split(separator: "\n")
      .map(String.init)
    for name in [".env", ".pgpass", "pg_service.conf", "*.password", "*.key", "*.pem", "*.p12"] {
      #expect(lines.contains(name), "\(name)")
    }
  }
}
