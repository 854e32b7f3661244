public import Challenges
public import Foundation
import ProductKit
import SHA256

/// A cache of a user's most recent boards, for use without a network connection.
///
/// The cache may lose any board at any time, because the server stores all boards.
/// `LeaderboardSnapshot.age` returns a board's age.
public actor SnapshotCache {
  private let folder: URL
  private let prefix: String
  private let mostBoards: Int
  private var kept: [String: LeaderboardSnapshot] = [:]

  private static let format = CheckedContent(kind: "baton-board", version: 1)

  /// Creates a user's cache in a folder whose files the operating system may delete.
  public init(folder: URL, userId: String, mostBoards: Int = 32) {
    self.folder = folder
    prefix = "board-\(SHA256Digest.hex(of: userId.utf8).prefix(32))-"
    self.mostBoards = mostBoards
  }

  /// Stores a snapshot, unless the cached snapshot is newer.
  public func keep(_ snapshot: LeaderboardSnapshot) {
    let name = name(snapshot.challenge.groupId, snapshot.challenge.type)
    guard snapshot.replaces(read(name)) else { return }
    kept[name] = snapshot
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard let data = try? WireFormat.data(of: snapshot), data.count <= WireFormat.mostBytes,
      (try? file(name).replace(with: Self.format.wrapped(Array(data)), mustLast: false)) != nil
    else { return remove(name) }
    for name in names().dropFirst(mostBoards) { remove(name) }
  }

  /// Returns the cached snapshot of a board, or nil if no snapshot can be read.
  public func last(groupId: String, type: ChallengeType) -> LeaderboardSnapshot? {
    let snapshot = read(name(groupId, type))
    // The file name contains only a digest of the group's id, so the id in the content is checked
    // too.
    guard let snapshot, snapshot.challenge.groupId.utf8.elementsEqual(groupId.utf8) else {
      return nil
    }
    return snapshot
  }

  /// Removes the boards of a group that the user has left.
  public func forget(groupId: String) {
    for type in ChallengeType.allCases { remove(name(groupId, type)) }
  }

  /// Deletes all cached files so that no user data remains on the phone after the user signs out.
  public func forgetAll() {
    for name in names() { remove(name) }
    kept = [:]
  }

  private func name(_ groupId: String, _ type: ChallengeType) -> String {
    "\(prefix)\(SHA256Digest.hex(of: groupId.utf8).prefix(32))-\(type.rawValue)"
  }

  private func file(_ name: String) -> DurableFile {
    DurableFile(folder.appending(path: name).path(percentEncoded: false))
  }

  private func read(_ name: String) -> LeaderboardSnapshot? {
    if let snapshot = kept[name] { return snapshot }
    guard let bytes = try? file(name).content(limit: WireFormat.mostBytes + 1_024),
      let payload = try? Self.format.unwrapped(bytes),
      let snapshot = try? WireFormat.read(LeaderboardSnapshot.self, from: Data(payload))
    else { return nil }
    kept[name] = snapshot
    return snapshot
  }

  private func remove(_ name: String) {
    kept[name] = nil
    try? FileManager.default.removeItem(at: folder.appending(path: name))
  }

  /// Returns the names of this user's files, most recently written first.
  private func names() -> [String] {
    let all =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)))
      ?? []
    let own = all.filter { $0.hasPrefix(prefix) }.map { name in
      let file = folder.appending(path: name)
      let date = try? file.resourceValues(forKeys: [.contentModificationDateKey])
      return (name, date?.contentModificationDate ?? .distantPast)
    }
    return own.sorted { $0.1 > $1.1 }.map(\.0)
  }
}
