#if HTTP
  import Foundation
  import Presence
  import PresencePostgres
  import ProductAPI
  import ProductKit
  import ProductPostgres

  /// A chat's events, which contain the messages sent or deleted since the last event.
  ///
  /// An event's id contains the chat's version and the time of the chat's newest message. A
  /// transaction that sends a message sets the message's time when it begins. If two transactions
  /// overlap, the message with the earlier time may be committed after the one with the later time.
  /// To include messages that are committed late, each event also covers changes to messages from
  /// the last ``overlap`` seconds before the newest known message. The first events of a stream may
  /// contain messages that the client already has and recognizes by their ids.
  ///
  /// If a client reads slowly, the next event contains all messages since the client's last event.
  actor ChatEvents: EventSource {
    /// Returns the messages before a message, newest first.
    typealias Older = @Sendable (_ last: Message?, _ limit: Int) async throws -> [Message]

    /// The maximum time, in seconds, from a message's time until its transaction is committed.
    ///
    /// The database cancels each API statement after 5 s, so 15 s is a safe maximum.
    static let overlap: TimeInterval = 15
    /// The number of messages in the first event of a new stream.
    static let firstMessages = 50
    /// The maximum number of messages that are checked for changes for one event.
    static let mostMessages = 600
    private static let page = PresenceDatabase.streamedMessages

    private let stream: LiveStream<[Message]>
    private let older: Older
    /// The first element of a stream, which is read before the HTTP response begins.
    private var first: StreamElement<[Message]>?
    /// The position of the client's last event, or nil before the first event of a new stream.
    private var position: PagePosition?
    /// The hash of each message that was checked for the last event, keyed by id.
    private var known: [UUID: Int] = [:]
    private var isLate = false

    /// Creates the events of a stream.
    ///
    /// - Parameters:
    ///   - id: the id of the last event that the client received, or nil for a new stream. If the
    ///     id is invalid, a new stream begins.
    ///   - older: returns earlier messages if the newest messages do not contain all changes.
    init(
      _ stream: LiveStream<[Message]>, after id: String?, older: @escaping Older
    ) {
      (self.stream, self.older) = (stream, older)
      position = id.flatMap { PagePosition($0) }
    }

    func open() async throws { first = try await stream.first() }

    func next() async throws -> APIEvent? {
      while let element = await nextElement() {
        switch element {
        case .current(let messages, let version, let encoding):
          if let event = try await event(of: messages, version, encoding) { return event }
        case .late:
          isLate = true
          return .late
        case .refused(let error): throw error
        }
      }
      return nil
    }

    nonisolated func end() { stream.end() }

    private func nextElement() async -> StreamElement<[Message]>? {
      defer { first = nil }
      if let first { return first }
      return await stream.next()
    }

    // MARK: Changes

    /// Returns the event with the changes up to a version, or nil if the client already has it.
    private func event(
      of newest: [Message], _ version: String, _ encoding: SharedEncoding
    ) async throws -> APIEvent? {
      let time = newest.first?.sentAt ?? Date(timeIntervalSince1970: 0)
      guard let next = PagePosition(time: time, id: version) else { return nil }
      guard let last = position else {
        remember(newest, next)
        return try Self.event(at: next, Array(newest.prefix(Self.firstMessages)))
      }
      let isSame = last.id == version
      if isSame, !isLate {
        remember(newest, next)
        return nil
      }
      var (messages, hasGap) = (newest, false)
      if !isSame, !hasAllChanges(newest, from: last.id, to: version) {
        (messages, hasGap) = try await self.messages(newest, last.time)
      }
      let isUsual = !known.isEmpty && !isLate && messages.count == newest.count
      let changed = isSame ? [] : messages.filter { known[$0.id] != $0.hashValue }
      remember(messages, next)
      guard isUsual else { return try Self.event(at: next, changed, hasGap: hasGap) }
      // The event is encoded once and shared by all streams that send the same changes.
      let shared = try encoding.value { () throws -> SharedEvent in
        SharedEvent(from: last.id, changed: changed, event: try Self.event(at: next, changed))
      }
      // After a user blocks or unblocks another user, this stream's changes may differ from those
      // in the shared event.
      guard shared.from == last.id, shared.changed == changed else {
        return try Self.event(at: next, changed)
      }
      return shared.event
    }

    /// Returns whether the newest messages contain all changes between two versions.
    ///
    /// Each statement that changes a chat adds 1 to the chat's version, and adds at most one
    /// message. If the version has increased by n and at least n of the newest messages are new, no
    /// change is missing. Changes to known messages are not counted, because blocking a user can
    /// change many messages.
    private func hasAllChanges(_ newest: [Message], from old: String, to new: String) -> Bool {
      guard !known.isEmpty, let old = Int(old), let new = Int(new), new > old else { return false }
      return newest.count { known[$0.id] == nil } >= new - old
    }

    /// Returns the newest messages, and all messages that were sent since the given time minus
    /// ``overlap`` seconds.
    ///
    /// `hasGap` is true if messages are missing because the result would exceed ``mostMessages``.
    private func messages(
      _ newest: [Message], _ time: Date
    ) async throws -> (messages: [Message], hasGap: Bool) {
      let start = time.addingTimeInterval(-Self.overlap)
      var messages = newest
      var isFull = newest.count == Self.page
      while isFull, let oldest = messages.last, oldest.sentAt >= start {
        guard messages.count + Self.page <= Self.mostMessages else { return (messages, true) }
        let more = try await older(oldest, Self.page)
        isFull = more.count == Self.page
        messages += more
      }
      return (messages, false)
    }

    private func remember(_ messages: [Message], _ next: PagePosition) {
      known = Dictionary(messages.map { ($0.id, $0.hashValue) }) { first, _ in first }
      (position, isLate) = (next, false)
    }

    private static func event(
      at position: PagePosition, _ messages: [Message], hasGap: Bool = false
    ) throws -> APIEvent {
      let data = try WireFormat.data(of: MessageEvent(messages: messages, hasGap: hasGap))
      return APIEvent(id: position.text, json: String(decoding: data, as: UTF8.self))
    }

    private struct MessageEvent: Encodable {
      let messages: [Message]
      let hasGap: Bool
    }

    /// An event with the changes since a version.
    private struct SharedEvent: Sendable {
      let from: String
      let changed: [Message]
      let event: APIEvent
    }
  }
#endif
