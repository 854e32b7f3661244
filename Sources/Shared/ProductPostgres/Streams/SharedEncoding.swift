import Synchronization

/// The encoded form of one version of a topic, which is computed once for all streams.
package final class SharedEncoding: Sendable {
  private let encoded = Mutex<(any Sendable)?>(nil)

  package init() {}

  /// Returns the encoded form, which the first call computes.
  ///
  /// Concurrent calls wait until the first call has computed the encoded form. All calls must use
  /// the same type `Encoded`.
  package func value<Encoded: Sendable>(_ encode: () throws -> Encoded) rethrows -> Encoded {
    try encoded.withLock { stored in
      if let stored = stored as? Encoded { return stored }
      let made = try encode()
      stored = made
      return made
    }
  }
}

/// The encoding of each topic's latest version.
///
/// An encoding is stored as long as a stream uses it. A new viewer of an unchanged topic gets the
/// stored encoding.
final class SharedEncodings<Topic: Hashable & Sendable>: Sendable {
  private struct Entry {
    let version: String
    weak var encoding: SharedEncoding?
  }

  private struct State {
    var entries: [Topic: Entry] = [:]
    /// If `entries` contains more topics than this limit, topics without streams are removed.
    var limit = 1_000
  }

  private let state = Mutex(State())

  /// Returns the encoding of a topic at a version.
  func of(_ topic: Topic, at version: String) -> SharedEncoding {
    state.withLock { state in
      if let entry = state.entries[topic], entry.version == version, let known = entry.encoding {
        return known
      }
      let made = SharedEncoding()
      state.entries[topic] = Entry(version: version, encoding: made)
      if state.entries.count > state.limit {
        state.entries = state.entries.filter { $0.value.encoding != nil }
        state.limit = max(1_000, 2 * state.entries.count)
      }
      return made
    }
  }
}
