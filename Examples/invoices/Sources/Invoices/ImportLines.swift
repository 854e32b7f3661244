import BatonJobs
import BatonPostgres
import Foundation
import InvoicesSQL

/// Imports a file with a line for each customer, such as `Ann,4200`, in many transactions.
///
/// The position in the file is committed with the lines of each step. After a crash, the import
/// continues with the next line.
struct ImportLines: StepJob {
  static let definition = Definition<Self>("import-lines")

  struct State: StoredState {
    var offset: UInt64 = 0
    var line: Int64 = 0
  }

  /// The path of the file, which all workers must be able to read.
  let path: String

  static func step(
    _ run: Run<Self>, _ state: inout State, in office: Office
  ) async throws -> StepResult {
    let piece = try FilePiece(of: run.payload.path, from: state.offset)
    let numbers = piece.lines.indices.map { state.line + Int64($0) + 1 }
    let fields = try zip(numbers, piece.lines).map { try parse($0, $1) }
    try await office.transaction.run(
      .run(SQL.Uploads.storeLines, run.key, numbers, fields.map(\.customer), fields.map(\.cents)))
    state.offset = piece.end
    state.line += Int64(piece.lines.count)
    run.progress(Int(piece.end), of: Int(piece.size))
    let report: Report = ["lines": piece.lines.count]
    return piece.end < piece.size ? .more(report) : .done(report)
  }

  private static func parse(
    _ number: Int64, _ line: Substring
  ) throws -> (customer: String, cents: Int64) {
    let fields = line.split(separator: ",")
    guard fields.count == 2, let cents = Int64(fields[1]) else {
      throw Permanent("line \(number) is not a customer and a number: \(line.prefix(100))")
    }
    return (String(fields[0]), cents)
  }
}
