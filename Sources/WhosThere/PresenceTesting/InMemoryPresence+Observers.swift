import Presence

extension InMemoryPresence {
  typealias PresenceStream = AsyncStream<Result<PresenceSnapshot, AppError>>

  struct Observer {
    let viewer: String?
    let groupId: String
    let continuation: PresenceStream.Continuation
    var last: PresenceSnapshot?
  }

  /// The number of open streams.
  public var observerCount: Int { observers.count }

  func observe(
    _ viewer: String?, _ groupId: String, _ continuation: PresenceStream.Continuation
  ) {
    lastObserver += 1
    let number = lastObserver
    observers[number] = Observer(viewer: viewer, groupId: groupId, continuation: continuation)
    // If the stream was cancelled before this line, `tell` removes the observer, because this
    // handler is not called.
    continuation.onTermination = { [weak self] _ in
      Task { [weak self] in await self?.forget(number) }
    }
    tell(groupId)
  }

  private func forget(_ number: Int) { observers[number] = nil }

  /// Ends stays whose deadline has passed, and sends the latest snapshot to each observer, if it
  /// differs from the observer's previous snapshot.
  ///
  /// A test must call this method after moving the clock.
  public func refresh() {
    settle()
    for groupId in Set(observers.values.map(\.groupId)) { tell(groupId) }
  }

  /// Sends the latest snapshot to each observer of a group, if it differs from the observer's
  /// previous snapshot.
  func tell(_ groupId: String) {
    for (number, observer) in observers where observer.groupId == groupId {
      switch Result(catching: { () throws(AppError) in try snapshot(observer.viewer, groupId) }) {
      case .success(let snapshot):
        guard snapshot.isNews(to: observer.last) else { continue }
        observers[number]?.last = snapshot
        if case .terminated = observer.continuation.yield(.success(snapshot)) { forget(number) }
      case .failure(let error):
        observer.continuation.yield(.failure(error))
        guard !error.isRetryable else { continue }
        observer.continuation.finish()
        forget(number)
      }
    }
  }
}

extension PresenceSnapshot {
  /// Returns whether the visible content of this snapshot differs from that of another snapshot.
  fileprivate func isNews(to other: PresenceSnapshot?) -> Bool {
    guard let other else { return true }
    return (summary, presences, own) != (other.summary, other.presences, other.own)
  }
}
