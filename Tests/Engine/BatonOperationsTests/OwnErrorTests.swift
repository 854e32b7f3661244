import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import Baton
@testable import BatonOperations

/// Each code that a SQL function raises has an exit code and an HTTP status that do not report a bug.
@Suite struct OwnErrorTests {
  @Test func `no code of the SQL files is an unexpected error`() throws {
    let folder = Checkout.root.appending(path: "sql").path(percentEncoded: false)
    var raised: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where path.hasSuffix(".sql") {
      for match in try Checkout.text("sql/\(path)").matches(of: /errcode = '(ZB\d{3})'/) {
        raised.insert(String(match.output.1))
      }
    }
    #expect(raised.count > 15)
    for code in raised.sorted() {
      let error = PostgresError(SQLState(code), "refused", hint: "Do something else.")
      let end = Complaint.ofInput(error)
      #expect(end?.0 != .fault && end?.1 == "Do something else.", "\(code)")
      #expect((400..<500).contains(Complaint(ofAction: error).httpStatus), "\(code)")
    }
    let isOther = Complaint.ofInput(PostgresError("P0001", "refused")) == nil
    #expect(isOther)
  }
}
