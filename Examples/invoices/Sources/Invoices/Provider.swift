import Foundation

/// A stand-in for a mail server and a bank, which appends a line to a file for each delivery.
///
/// A real provider ignores a delivery whose idempotency key the provider already knows. The file
/// contains all deliveries, so a test can find repeated deliveries.
struct Provider: Sendable {
  var path: String {
    ProcessInfo.processInfo.environment["PROVIDER_FILE"] ?? "/tmp/invoices-deliveries.tsv"
  }

  /// Appends the time, the tenant, the delivery and the idempotency key to the file.
  func deliver(_ what: String, of tenant: Int64, idempotencyKey: String) async throws {
    let now = Date().timeIntervalSince1970
    let line = Data("\(now)\t\(tenant)\t\(what)\t\(idempotencyKey)\n".utf8)
    // With O_APPEND, processes that write at the same time do not overwrite each other's lines.
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    guard file >= 0 else { throw Failure(path: path, number: errno) }
    defer { close(file) }
    let written = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard written == line.count else { throw Failure(path: path, number: errno) }
    // A real provider also takes some time to respond after a delivery.
    try await Task.sleep(for: .milliseconds(20))
  }

  /// The file could not be written.
  struct Failure: Error {
    let path: String
    let number: Int32
  }
}
