import Foundation
import TestSupport
import Testing

/// Tests that docs/reference/errors.md contains exactly the errors that functions of the engine and
/// of GymRats raise.
@Suite(.ownThreads) struct ErrorsPageTests {
  @Test func `the page has the codes that the SQL files raise`() throws {
    let folder = Checkout.root.appending(path: "sql").path(percentEncoded: false)
    var raised: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where path.hasSuffix(".sql") && !path.contains("migrations/") {
      for match in try Checkout.text("sql/\(path)").matches(of: /errcode = '(ZB\d{3})'/) {
        raised.insert(String(match.output.1))
      }
    }
    let listed = try Checkout.text("docs/reference/errors.md").matches(of: /(?m)^\| (ZB\d{3}) \|/)
      .map { String($0.output.1) }
    #expect(raised.count > 15)
    #expect(listed.sorted() == raised.sorted())
  }
}
