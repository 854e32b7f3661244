import Foundation

/// Runs what blocks on a thread of its own: the cooperative pool has one thread a core.
///
/// - Throws: what `body` throws.
package func blocking<R: Sendable>(
  _ body: @escaping @Sendable () throws -> R
) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}
