import Foundation
import Presence

extension InMemoryPresence {
  typealias MessageStream = AsyncStream<Result<[Message], AppError>>

  /// A token bucket's user and group.
  struct BucketKey: Hashable {
    let userId: String
    let groupId: String
  }

  /// An observer of a group's newest page of messages.
  struct MessageObserver {
    let viewer: String?
    let groupId: String
    let continuation: MessageStream.Continuation
    var last: [Message]?
  }

  func sendMessage(_ actor: String?, _ draft: MessageDraft) throws(AppError) -> Message {
    let user = try signedIn(actor)
    _ = try joined(actor, draft.groupId)
    let checked = try draft.checked()
    if let known = messages[draft.id] {
      // A repeated call succeeds, because the response to the first call may have been lost. A
      // deleted message has no text, so the text of the repeated call is not compared.
      guard known.userId == user.id, known.groupId == draft.groupId,
        known.isDeleted || known.text == checked.text
      else { throw .conflictingRepeat }
      return known
    }
    let key = BucketKey(userId: user.id, groupId: draft.groupId)
    var bucket = buckets[key] ?? RateLimiter()
    try bucket.take(at: now)
    buckets[key] = bucket
    let message = Message(
      id: draft.id, groupId: draft.groupId, userId: user.id, text: checked.text, sentAt: now)
    messages[message.id] = message
    messagesSent[user.id, default: 0] += 1
    award(user.id)
    tellMessages(of: draft.groupId)
    return message
  }

  func messageHistory(
    _ actor: String?, _ groupId: String, _ last: Message?, _ limit: Int
  ) throws(AppError) -> [Message] {
    _ = try joined(actor, groupId)
    guard InputLimits.pageLengths ~= limit else {
      throw .invalidInput("a page has 1 to 100 messages")
    }
    let behind = messages.values.filter { message in
      message.groupId == groupId && (last.map { message.isOlder(than: $0) } ?? true)
    }
    let blocked = blockedUsers(by: actor)
    return behind.sorted { $1.isOlder(than: $0) }.prefix(limit).map { $0.seen(blocking: blocked) }
  }

  func deleteMessage(
    _ actor: String?, _ messageId: UUID, _ groupId: String
  ) throws(AppError) {
    let user = try signedIn(actor)
    let isAdmin = try joined(actor, groupId).members[user.id]?.isAdmin == true
    // Deleting a message that does not exist has no effect.
    guard let message = messages[messageId], message.groupId == groupId else { return }
    guard message.userId == user.id || isAdmin else { throw .notGroupAdmin }
    messages[messageId] = message.with(userId: message.userId, isDeleted: true)
    tellMessages(of: groupId)
  }

  /// Removes the author from a user's messages when the account is deleted.
  ///
  /// The messages themselves are kept.
  func forgetAuthor(_ userId: String) {
    for (id, message) in messages where message.userId == userId {
      messages[id] = message.with(userId: nil, isDeleted: message.isDeleted)
      tellMessages(of: message.groupId)
    }
    buckets = buckets.filter { $0.key.userId != userId }
  }

  /// Moves one user's messages to another user.
  ///
  /// If both users have a token bucket for the same group, the one with fewer tokens is used.
  func mergeMessages(_ gone: String, into account: String) {
    for (id, message) in messages where message.userId == gone {
      messages[id] = message.with(userId: account, isDeleted: message.isDeleted)
      tellMessages(of: message.groupId)
    }
    for (key, bucket) in buckets where key.userId == gone {
      buckets[key] = nil
      let own = BucketKey(userId: account, groupId: key.groupId)
      buckets[own] = buckets[own]?.emptier(bucket) ?? bucket
    }
  }
}

// MARK: - Streams

extension InMemoryPresence {
  func observeMessages(
    _ viewer: String?, _ groupId: String, _ continuation: MessageStream.Continuation
  ) {
    let key = UUID()
    messageObservers[key] = MessageObserver(
      viewer: viewer, groupId: groupId, continuation: continuation)
    // If the stream was cancelled before this line, `tellMessages` removes the observer, because
    // this handler is not called.
    continuation.onTermination = { [weak self] _ in
      Task { [weak self] in await self?.forgetMessageObserver(key) }
    }
    tellMessages(of: groupId)
  }

  private func forgetMessageObserver(_ key: UUID) { messageObservers[key] = nil }

  /// Sends the newest page of messages to a group's observers, if the page has changed.
  ///
  /// Observers who have left the group receive an error.
  func tellMessages(of groupId: String) {
    for (key, observer) in messageObservers where observer.groupId == groupId {
      do {
        let page = try messageHistory(observer.viewer, groupId, nil, 50)
        guard page != observer.last else { continue }
        messageObservers[key]?.last = page
        if case .terminated = observer.continuation.yield(.success(page)) {
          forgetMessageObserver(key)
        }
      } catch {
        observer.continuation.yield(.failure(error))
        guard !error.isRetryable else { continue }
        observer.continuation.finish()
        forgetMessageObserver(key)
      }
    }
  }
}

extension Message {
  /// Returns a copy of the message with the given author and deletion state.
  fileprivate func with(userId: String?, isDeleted: Bool) -> Message {
    Message(
      id: id, groupId: groupId, userId: userId, text: isDeleted ? "" : text, sentAt: sentAt,
      isDeleted: isDeleted)
  }
}
