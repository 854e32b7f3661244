import BatonPostgres
import Foundation
import TestSupport
import Testing

private let lines = parameter("BATON_INVOICE_LINES", default: 0)

/// Runs the example `Examples/invoices` while its workers are killed every few seconds.
///
/// `BATON_INVOICE_LINES` is the number of imported lines. If it is not set, the suite is skipped.
/// `Tests/all invoices` builds the example.
@Suite(
  .serialized, .timeLimit(.minutes(60)),
  .enabled(if: lines > 0, "the example `invoices` under kills: make test-all"))
struct KilledInvoicesTests {
  @Test func `killed workers lose nothing, and repeat only deliveries with the same key`()
    async throws
  {
    try await TestSchema.with { product in
      let invoices = try await KilledInvoices(at: product.configuration, lines: lines)
      try await invoices.run()
      await invoices.connection.close()
    }
  }

  @Test func `the example's own tests pass`() async throws {
    let ended = try await TestProcess(
      try KilledInvoices.path("invoicesPackageTests.xctest"),
      ["--testing-library", "swift-testing"],
      environment: BatonProgram.inherited.merging(["DATABASE_URL": try TestServer.address]) { $1 },
      directory: "/"
    ).wait(within: .seconds(300))
    let output = ended.output + ended.errors
    #expect(ended.status == 0 && output.contains("Test run with 6 tests"), "\(output)")
  }
}
