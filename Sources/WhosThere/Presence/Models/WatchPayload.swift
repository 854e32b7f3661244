public import Foundation
import ProductKit

/// A group as a watch shows it: on the wire `[id, name, presentCount, isPresent, version]`.
public struct WatchGroup: Hashable, Sendable, Identifiable {
  /// The group's id.
  public let id: String
  /// What its members call it.
  public let name: String
  /// How many are there.
  public let presentCount: Int
  /// Whether the user is.
  public let isPresent: Bool
  /// The version of the user's own presence: the higher one is right.
  public let version: Int64

  /// A group.
  public init(id: String, name: String, presentCount: Int, isPresent: Bool, version: Int64) {
    self.id = id
    self.name = name
    self.presentCount = presentCount
    self.isPresent = isPresent
    self.version = version
  }
}

extension WatchGroup: Codable {
  /// Reads five values, and no sixth.
  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    id = try values.decode(String.self)
    name = try values.decode(String.self)
    presentCount = try values.decode(Int.self)
    isPresent = try values.decode(Bool.self)
    version = try values.decode(Int64.self)
    guard values.isAtEnd, 1...256 ~= id.utf8.count, presentCount >= 0, version >= 0 else {
      throw DecodingError.dataCorruptedError(in: values, debugDescription: "not a watch's group")
    }
  }

  /// Writes five values.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(id)
    try values.encode(name)
    try values.encode(presentCount)
    try values.encode(isPresent)
    try values.encode(version)
  }
}

/// What a phone or the server sends to a watch: small enough for one message between devices.
public struct WatchPayload: Codable, Hashable, Sendable {
  /// The user's groups, in the order in which they are shown.
  public let groups: [WatchGroup]

  /// The most groups.
  public static let mostGroups = 20
  /// The most bytes, as written.
  public static let mostBytes = 4_096

  /// The groups that fit, from the first one on; what is left out is on the phone.
  public init(fitting groups: [WatchGroup]) throws {
    var fitting = Array(groups.prefix(Self.mostGroups))
    while try WireFormat.data(of: ["groups": fitting]).count > Self.mostBytes {
      fitting.removeLast()
    }
    self.groups = fitting
  }

  /// Reads a payload; one that is too large is refused.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    groups = try fields.decode([WatchGroup].self, forKey: .groups)
    try fields.require(
      groups.count <= Self.mostGroups && Set(groups.map(\.id)).count == groups.count, .groups,
      "more than \(Self.mostGroups) groups, or one of them twice")
  }

  /// Reads what a phone or the server has written.
  public init(data: Data) throws {
    self = try WireFormat.read(WatchPayload.self, from: data, limit: Self.mostBytes)
  }

  /// As it is sent.
  public var data: Data { get throws { try WireFormat.data(of: self) } }

  /// What a watch shows after it received this payload: of each group the higher version of the user's presence.
  ///
  /// The list and the counts are the later payload's.
  public func following(_ last: WatchPayload?) -> WatchPayload {
    let known = Dictionary((last?.groups ?? []).map { ($0.id, $0) }) { first, _ in first }
    return WatchPayload(
      groups: groups.map { group in
        guard let before = known[group.id], before.version > group.version else { return group }
        return WatchGroup(
          id: group.id, name: group.name, presentCount: group.presentCount,
          isPresent: before.isPresent, version: before.version)
      })
  }

  private init(groups: [WatchGroup]) { self.groups = groups }
}
