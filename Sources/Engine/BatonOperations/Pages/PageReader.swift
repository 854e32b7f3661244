import Baton
import BatonPostgres
import Logging

/// Reads for pages, on few connections of their own that are opened when somebody looks.
///
/// However many look, the server has no more of them to bear; who comes when all are in use waits for one, and is told
/// that the server is late where that takes too long.
actor PageReader {
  /// At once.
  static let most = 4

  /// That a page could not be read in time.
  struct Late: Error {}

  private let subject: HTTPSubject
  private let patience: Duration
  private var idle: [Connection] = []
  private var open = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameter patience: a page takes no longer, waiting included.
  init(_ subject: HTTPSubject, patience: Duration = .seconds(6)) {
    (self.subject, self.patience) = (subject, patience)
  }

  /// What `body` reads.
  ///
  /// - Throws: ``Late``, what opening a connection throws, what `body` throws.
  func read<R: Sendable>(
    _ body: @escaping @Sendable (Session) async throws -> R
  ) async throws -> R {
    let task = Task<Result<R, any Error>, Never> {
      do { return .success(try await self.readNow(body)) } catch { return .failure(error) }
    }
    guard let result = await task.value(within: patience) else {
      // Ends the statement, if there is one.
      task.cancel()
      throw Late()
    }
    return try result.get()
  }

  private func readNow<R: Sendable>(
    _ body: @Sendable (Session) async throws -> R
  ) async throws -> R {
    while open >= Self.most, idle.isEmpty {
      await withCheckedContinuation { waiting.append($0) }
    }
    // Nobody waits for it any more.
    guard !Task.isCancelled else {
      wakeNext()
      throw Late()
    }
    let connection = try await taken()
    do {
      let result = try await body(Session(connection, in: subject.schema))
      await give(connection)
      return result
    } catch {
      await give(connection)
      throw error
    }
  }

  private func taken() async throws -> Connection {
    if let connection = idle.popLast() { return connection }
    open += 1
    do {
      return try await Connection.open(subject.configuration)
    } catch {
      open -= 1
      wakeNext()
      throw error
    }
  }

  private func give(_ connection: Connection) async {
    if await connection.isBroken {
      open -= 1
      await connection.close()
    } else {
      idle.append(connection)
    }
    wakeNext()
  }

  private func wakeNext() {
    if !waiting.isEmpty { waiting.removeFirst().resume() }
  }

  /// Closes the connections that nobody uses.
  func close() async {
    let connections = idle
    idle = []
    open -= connections.count
    for connection in connections { await connection.close() }
  }
}
