import Synchronization

/// Flash messages: the result of an action, shown once by the page after it.
final class Flash: Sendable {
  private static let most = 64
  private let notices = Mutex<[(id: String, notice: Notice)]>([])

  /// Stores a notice.
  ///
  /// - Returns: its id, for the address of the page.
  func keep(_ notice: Notice) -> String {
    let id = String(RandomToken().text.prefix(16))
    notices.withLock { notices in
      notices.append((id, notice))
      if notices.count > Self.most { notices.removeFirst() }
    }
    return id
  }

  /// Takes the notice out.
  func take(_ id: String) -> Notice? {
    notices.withLock { notices in
      guard let index = notices.firstIndex(where: { $0.id == id }) else { return nil }
      return notices.remove(at: index).notice
    }
  }
}
