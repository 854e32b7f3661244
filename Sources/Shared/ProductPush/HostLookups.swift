#if HTTP
  import Foundation
  import Synchronization

  /// The lookups of host names chosen by users.
  ///
  /// If a name server does not respond, a lookup takes half a minute, and cannot be stopped. Each
  /// lookup therefore has its own thread, and the caller stops waiting after a time limit.
  final class HostLookups: Sendable {
    /// This process's lookups.
    static let shared = HostLookups(most: 64)

    private let most: Int
    private let running = Mutex(0)

    /// - Parameter most: the maximum number of lookups at the same time, including lookups whose
    ///   caller is no longer waiting.
    init(most: Int) { self.most = most }

    /// Resolves a host name or a numeric address.
    ///
    /// - Parameters:
    ///   - limit: the maximum time that the method waits.
    ///   - lookUp: the lookup, which blocks its thread. Tests pass a slow one.
    /// - Throws: ``PushRefused`` if the name cannot be resolved in time, or if too many lookups are
    ///   running.
    func resolve(
      _ host: String, within limit: Duration,
      by lookUp: @escaping @Sendable (String) throws -> [NetworkAddress] = NetworkAddress.resolve
    ) async throws -> [NetworkAddress] {
      guard begin() else { throw Self.failure("too many host names are being resolved") }
      return try await withCheckedThrowingContinuation { continuation in
        let caller = Caller(continuation)
        Task {
          try? await Task.sleep(for: limit)
          caller.resume(with: .failure(Self.failure("its host was not resolved in time")))
        }
        Thread.detachNewThread {
          let addresses = Result { try lookUp(host) }
          self.end()
          caller.resume(with: addresses)
        }
      }
    }

    private static func failure(_ reason: String) -> PushRefused {
      PushRefused("The webhook", reason)
    }

    private func begin() -> Bool {
      running.withLock { running in
        guard running < most else { return false }
        running += 1
        return true
      }
    }

    private func end() { running.withLock { $0 -= 1 } }

    /// The caller of a lookup, which gets the first of two results.
    private final class Caller: Sendable {
      private let waiting: Mutex<CheckedContinuation<[NetworkAddress], any Error>?>

      init(_ continuation: CheckedContinuation<[NetworkAddress], any Error>) {
        waiting = Mutex(continuation)
      }

      func resume(with result: Result<[NetworkAddress], any Error>) {
        let continuation = waiting.withLock { waiting in
          defer { waiting = nil }
          return waiting
        }
        continuation?.resume(with: result)
      }
    }
  }
#endif
