import Synchronization

extension LiveChannel {
  /// Marks topics as slow, and notifies the observers of these topics that snapshots may be late.
  func beSlow(_ topics: [Feed.Topic]) {
    send(
      observers.withLock { observers in
        let slow = Array(Set(topics))
        observers.slow.add(slow)
        return observers.fail(
          Observers<Feed>.Part(topics: slow, asked: observers.observing(slow, or: [])), with: nil)
      })
  }

  /// Reads slow topics one by one, until an attempt takes too long.
  func showSlow(on connection: HubConnection) async throws {
    // At most 50 slow topics are read at a time, so that polls of other feeds are delayed only
    // briefly.
    for _ in 0..<50 {
      guard let topic = observers.withLock({ $0.slow.next() }) else { return }
      let changed = try await listChanged([(topic: topic, version: nil)], on: connection)
      let asked = observers.withLock { $0.observing(changed, or: []) }
      guard !changed.isEmpty,
        try await show(Observers<Feed>.Part(topics: changed, asked: asked), on: connection)
      else {
        return observers.withLock { $0.slow.timedOut(topic, after: hub.options.timeout) }
      }
      observers.withLock { $0.slow.finish(topic) }
    }
  }
}
