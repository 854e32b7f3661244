import Synchronization

/// What was done, kept until the page behind it shows it once.
final class Told: Sendable {
  private static let most = 64
  private let notices = Mutex<[(id: String, notice: Notice)]>([])

  /// Keeps a notice.
  ///
  /// - Returns: what the page is asked for it by.
  func keep(_ notice: Notice) -> String {
    let id = String(RandomToken().text.prefix(16))
    notices.withLock { notices in
      notices.append((id, notice))
      if notices.count > Self.most { notices.removeFirst() }
    }
    return id
  }

  /// The notice, once.
  func take(_ id: String) -> Notice? {
    notices.withLock { notices in
      guard let index = notices.firstIndex(where: { $0.id == id }) else { return nil }
      return notices.remove(at: index).notice
    }
  }
}
