import Synchronization

/// The storage of flash messages.
///
/// A flash message shows the result of an action once, on the next page.
final class Flash: Sendable {
  private static let most = 64
  private let notices = Mutex<[(id: String, notice: Notice)]>([])

  /// Stores a notice.
  ///
  /// - Returns: the notice's id, for the URL of the next page.
  func keep(_ notice: Notice) -> String {
    let id = String(RandomToken().text.prefix(16))
    notices.withLock { notices in
      notices.append((id, notice))
      if notices.count > Self.most { notices.removeFirst() }
    }
    return id
  }

  /// Removes and returns a notice.
  func take(_ id: String) -> Notice? {
    notices.withLock { notices in
      guard let index = notices.firstIndex(where: { $0.id == id }) else { return nil }
      return notices.remove(at: index).notice
    }
  }
}
