public import Foundation
import Presence

/// What every implementation of the repositories promises, one check a promise.
///
/// A program runs all of them, each in an environment of its own that begins at ``beginning``.
public enum PresenceContract {
  /// When each check begins: a Wednesday at noon, UTC.
  public static let beginning = Date(timeIntervalSince1970: 1_768_392_000)
}

/// One promise of the repositories, which every implementation has to keep.
public struct Promise<Environment: Sendable>: Sendable, CustomStringConvertible {
  /// The promise, as a sentence.
  public let description: String
  private let body: @Sendable (Environment) async throws -> Void

  init(_ description: String, _ body: @escaping @Sendable (Environment) async throws -> Void) {
    self.description = description
    self.body = body
  }

  /// Tries it.
  ///
  /// - Throws: `BrokenPromise`, or what a repository threw where it should not have.
  public func check(in environment: Environment) async throws { try await body(environment) }
}

/// A promise that was not kept.
public struct BrokenPromise: Error, CustomStringConvertible {
  /// What was expected, and where that stands.
  public let description: String
}

/// Expects a value.
func expect<Value: Equatable>(
  _ value: Value, is expected: Value, file: String = #fileID, line: Int = #line
) throws {
  guard value != expected else { return }
  throw BrokenPromise(description: "\(file):\(line): \(value) instead of \(expected)")
}

/// Expects a refusal, by its code: texts are for people.
func expectRefusal(
  _ code: String, file: String = #fileID, line: Int = #line, of call: () async throws -> Void
) async throws {
  var code = code
  switch await AppResult<Void>.calling(call) {
  case .success: code = "no error instead of \(code)"
  case .failure(let error) where error.code == code: return
  case .failure(let error): code = "\(error) instead of \(code)"
  }
  throw BrokenPromise(description: "\(file):\(line): \(code)")
}

extension PlaceEnvironment {
  /// A public circle of 100 m in Berlin; the first member made it.
  func group(
    _ id: String, of members: String..., name: String = "Chess", zone: String = "Europe/Berlin"
  ) async throws {
    for member in members {
      try await addUser(member)
      let groups = try await groups(for: member)
      guard member != members[0] else {
        _ = try await groups.createGroup(
          id: id, name: name,
          shape: .circle(center: try Coordinate(latitude: 52.5, longitude: 13.4), radius: 100),
          isPublic: true, timeZone: zone)
        continue
      }
      _ = try await groups.joinPublicGroup(id)
    }
  }

  /// So many hours behind the beginning.
  func hours(_ hours: Double) -> Date {
    PresenceContract.beginning.addingTimeInterval(hours * 3_600)
  }

  /// What an actor has achieved, with a star where it is new.
  func earned(_ user: String) async throws -> [String] {
    try await settle()
    return try await achievements(for: user).earned().map {
      $0.type.rawValue + ($0.isNew ? "*" : "")
    }
  }
}
