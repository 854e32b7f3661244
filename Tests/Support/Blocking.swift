import Foundation

/// Runs a blocking function on a separate thread, because the cooperative pool has only one thread
/// per core.
///
/// - Throws: the error of `body`.
package func blocking<R: Sendable>(
  _ body: @escaping @Sendable () throws -> R
) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}
