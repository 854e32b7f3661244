public import Foundation
import ProductKit

/// The group data that a watch shows.
///
/// In JSON, the group is an array: `[id, name, presentCount, isPresent, version]`.
public struct WatchGroup: Hashable, Sendable, Identifiable {
  /// The group's id.
  public let id: String
  /// The group's name.
  public let name: String
  /// The number of users at the place.
  public let presentCount: Int
  /// Whether the user is at the place.
  public let isPresent: Bool
  /// The version of the user's presence.
  ///
  /// Of two presences, the one with the higher version is newer.
  public let version: Int64

  /// Creates a group.
  public init(id: String, name: String, presentCount: Int, isPresent: Bool, version: Int64) {
    self.id = id
    self.name = name
    self.presentCount = presentCount
    self.isPresent = isPresent
    self.version = version
  }
}

extension WatchGroup: Codable {
  /// Decodes an array of exactly five values.
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

  /// Encodes an array of five values.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(id)
    try values.encode(name)
    try values.encode(presentCount)
    try values.encode(isPresent)
    try values.encode(version)
  }
}

/// The data that a phone or the server sends to a watch.
///
/// The data fits into one message between two devices.
public struct WatchPayload: Codable, Hashable, Sendable {
  /// The user's groups in display order.
  public let groups: [WatchGroup]

  /// The maximum number of groups.
  public static let mostGroups = 20
  /// The maximum size of the JSON in bytes.
  public static let mostBytes = 4_096

  /// Creates a payload with as many of the given groups as fit into the limits, in the given order.
  ///
  /// Groups that do not fit are shown only on the phone.
  public init(fitting groups: [WatchGroup]) throws {
    var fitting = Array(groups.prefix(Self.mostGroups))
    while try WireFormat.data(of: ["groups": fitting]).count > Self.mostBytes {
      fitting.removeLast()
    }
    self.groups = fitting
  }

  /// Decodes a payload.
  ///
  /// - Throws: `DecodingError` if there are too many groups or a group is listed twice.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    groups = try fields.decode([WatchGroup].self, forKey: .groups)
    try fields.require(
      groups.count <= Self.mostGroups && Set(groups.map(\.id.bytes)).count == groups.count, .groups,
      "more than \(Self.mostGroups) groups, or one of them twice")
  }

  /// Decodes a payload from JSON sent by a phone or the server.
  public init(data: Data) throws {
    self = try WireFormat.read(WatchPayload.self, from: data, limit: Self.mostBytes)
  }

  /// The payload as JSON.
  public var data: Data { get throws { try WireFormat.data(of: self) } }

  /// Returns the payload that a watch shows after receiving this payload.
  ///
  /// For each group, the result contains the presence from this payload or from `last`, whichever
  /// has the higher version. The list of groups and the counts are taken from this payload.
  public func following(_ last: WatchPayload?) -> WatchPayload {
    let known = Dictionary((last?.groups ?? []).map { ($0.id.bytes, $0) }) { first, _ in first }
    return WatchPayload(
      groups: groups.map { group in
        guard let before = known[group.id.bytes], before.version > group.version else {
          return group
        }
        return WatchGroup(
          id: group.id, name: group.name, presentCount: group.presentCount,
          isPresent: before.isPresent, version: before.version)
      })
  }

  private init(groups: [WatchGroup]) { self.groups = groups }
}
