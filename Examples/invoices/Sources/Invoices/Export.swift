import Baton
import BatonPostgres
import InvoicesSQL

/// Starts an export: a batch with a run for each chunk, and an archive at the end.
struct StartExport: BatchJob {
  static let definition = Definition<Self>(
    "start-export", on: [.table("export", on: .insert, key: "id")])

  /// The export's id.
  typealias Key = Int64

  static let chunks: Int64 = 50

  static func run(_ batch: [Run<Self>], in office: Office) async throws {
    for run in batch {
      let name = "export-\(run.key)"
      let chunks = try (1...Self.chunks).map { chunk in
        try RunRequest(ExportChunk(export: run.key, chunk: chunk))
      }
      try await office.transaction.openBatch(name, job: ArchiveExport.name)
      try await office.transaction.enqueue(chunks, batch: name)
      try await office.transaction.sealBatch(name)
    }
  }
}

/// Exports one chunk of an upload's lines.
struct ExportChunk: BatchJob {
  static let definition = Definition<Self>("export-chunk", batch: 5)

  let export, chunk: Int64

  static func run(_ batch: [Run<Self>], in office: Office) async throws {
    try await office.transaction.run(
      .run(
        SQL.Exports.exportChunks, batch.map(\.payload.export), batch.map(\.payload.chunk),
        StartExport.chunks))
  }
}

/// Archives an export after all chunks have been exported.
///
/// If a chunk is dead, an operator retries the chunk, and the batch then ends again.
struct ArchiveExport: BatchJob {
  static let definition = Definition<Self>("archive-export")

  let dead, cancelled: Int

  static func run(_ batch: [Run<Self>], in office: Office) async throws {
    let complete = batch.filter { $0.payload.dead + $0.payload.cancelled == 0 }
    try await office.transaction.run(.run(SQL.Exports.archiveExports, complete.map(\.key)))
  }
}
