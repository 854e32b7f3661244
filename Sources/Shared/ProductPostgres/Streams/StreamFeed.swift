package import BatonLive
import BatonPostgres

/// A feed whose elements are sent to HTTP API clients.
package protocol StreamableFeed: LiveFeed
where Viewer == ExactText, Element == Result<Value, Failure> {
  /// The data of a topic for one viewer.
  associatedtype Value: Sendable
  /// The error that ends a stream.
  associatedtype Failure: Error

  /// Returns a version as text without line breaks, for the id of a stream event.
  func text(of version: Version) -> String

  /// Returns whether the encoded fields that most viewers share are also correct for this viewer.
  ///
  /// If the result is false, the viewer's value is encoded separately.
  func isShared(_ snapshot: Snapshot, with viewer: ExactText) -> Bool
}

extension StreamableFeed {
  /// Returns true, because most feeds send the same shared fields to all viewers.
  package func isShared(_ snapshot: Snapshot, with viewer: ExactText) -> Bool { true }
}

/// The viewer of a stream.
package struct StreamViewer: Sendable {
  /// The id of the user.
  package let user: ExactText
  /// The hexadecimal SHA-256 hash of the viewer's session token, or nil if the viewer has no
  /// session in the database.
  package let session: String?

  /// Creates a viewer.
  package init(user: String, session: String? = nil) {
    (self.user, self.session) = (ExactText(user), session)
  }
}

/// An element of a stream.
package enum StreamElement<Value: Sendable>: Sendable {
  /// The current state of the topic.
  ///
  /// Viewers whose values have equal shared fields receive the same `encoding`.
  case current(Value, version: String, encoding: SharedEncoding)
  /// Informs the viewer that values may be late until the next `current` element.
  case late
  /// The reason why the stream ends.
  case refused(any Error)
}

/// A feed for streams, which is based on another feed.
///
/// Each snapshot of this feed contains the version as text, and an encoding that several viewers
/// share. The feed ends the streams of viewers whose sessions have ended.
struct StreamFeed<Base: StreamableFeed>: LiveFeed {
  /// Finds ended sessions with one statement.
  struct Sessions: Sendable {
    /// Returns the zero-based positions of the token hashes whose sessions have ended.
    let ended: @Sendable (_ hashes: [String], _ session: Session) async throws -> [Int]
    /// The error that ends an ended session's stream.
    let refusal: any Error
  }

  struct Snapshot: Sendable {
    let base: Base.Snapshot
    let version: String
    let encoding: SharedEncoding
  }

  typealias Topic = Base.Topic
  typealias Version = Base.Version
  typealias Viewer = StreamViewer
  typealias Element = StreamElement<Base.Value>

  let base: Base
  let sessions: Sessions?
  private let encodings = SharedEncodings<Base.Topic>()

  init(_ base: Base, sessions: Sessions? = nil) { (self.base, self.sessions) = (base, sessions) }

  var name: String { base.name }
  var late: Element { .late }

  func key(of topic: Topic, at version: Version) -> String? { base.key(of: topic, at: version) }

  func failure(_ error: any Error) -> Element { element(of: base.failure(error)) }

  func listChanged(
    _ known: [(topic: Topic, version: Version?)], on session: Session
  ) async throws -> [Topic] { try await base.listChanged(known, on: session) }

  func read(
    _ topics: [Topic], for viewers: [(topic: Topic, viewer: StreamViewer)], on session: Session
  ) async throws -> LiveReading<Self> {
    let read = try await base.read(
      topics, for: viewers.map { (topic: $0.topic, viewer: $0.viewer.user) }, on: session)
    var reading = LiveReading<Self>(refusals: read.refusals.mapValues { element(of: $0) })
    for (topic, found) in read.topics {
      let version = base.text(of: found.version)
      let snapshot = Snapshot(
        base: found.snapshot, version: version, encoding: encodings.of(topic, at: version))
      reading.topics[topic] = (found.version, snapshot)
    }
    // Sessions are checked after the read, because a session can end during the read.
    for (place, refusal) in try await refusals(of: viewers.map(\.viewer), on: session) {
      reading.refusals[place] = refusal
    }
    return reading
  }

  func element(of snapshot: Snapshot, for viewer: StreamViewer) -> Element {
    switch base.element(of: snapshot.base, for: viewer.user) {
    case .success(let value):
      .current(
        value, version: snapshot.version,
        encoding: base.isShared(snapshot.base, with: viewer.user)
          ? snapshot.encoding : SharedEncoding())
    case .failure(let error): .refused(error)
    }
  }

  /// Converts an error to `refused`, and a value without a version to `late`.
  private func element(of element: Base.Element) -> Element {
    switch element {
    case .success: .late
    case .failure(let error): .refused(error)
    }
  }

  private func refusals(
    of viewers: [StreamViewer], on session: Session
  ) async throws -> [(Int, Element)] {
    guard let sessions else { return [] }
    let checked = viewers.enumerated().compactMap { place, viewer in
      viewer.session.map { (place: place, hash: $0) }
    }
    guard !checked.isEmpty else { return [] }
    let ended = try await sessions.ended(checked.map(\.hash), session)
    return ended.filter { checked.indices.contains($0) }
      .map { (checked[$0].place, .refused(sessions.refusal)) }
  }
}
