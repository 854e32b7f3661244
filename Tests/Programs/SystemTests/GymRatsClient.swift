import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Calls the HTTP API of GymRats for one user.
struct GymRatsClient: Sendable {
  /// The address of the API, such as `https://api.example.com/v1`.
  let address: URL
  /// Returns a token of the identity provider that has not expired.
  let token: @Sendable () async throws -> String

  struct Board: Decodable, Sendable {
    struct Entry: Decodable, Sendable {
      let id, displayName: String
      let rank, value: Int
    }

    let entries: [Entry]
  }

  /// The body of an error response.
  ///
  /// Only the code `networkUnavailable` is worth a retry.
  struct Refusal: Decodable, Error {
    let code, error: String
  }

  /// Creates the account if the user has none.
  func signIn() async throws { _ = try await send("POST", "sign-in", body: [:]) }

  /// Records a workout now.
  ///
  /// The app generates the id, so a repeated call counts once.
  func record(workout id: String) async throws {
    let offset = TimeZone.current.secondsFromGMT()
    _ = try await send("PUT", "workouts/\(id)", body: ["utcOffsetSeconds": offset])
  }

  /// Passes the current board and each changed board to `show`, until the task is cancelled.
  func follow(
    group: String, every pause: Duration = .seconds(3), show: @Sendable (Board) async -> Void
  ) async throws {
    var version: String?
    while true {
      let (data, response) = try await send(
        "GET", "groups/\(group)/boards/check-ins", version: version)
      // 304 means that the board has not changed since the version.
      if response.statusCode == 200 {
        version = response.value(forHTTPHeaderField: "ETag")
        await show(try JSONDecoder().decode(Board.self, from: data))
      }
      try await Task.sleep(for: pause)
    }
  }

  private func send(
    _ method: String, _ path: String, version: String? = nil, body: [String: Int]? = nil
  ) async throws -> (Data, HTTPURLResponse) {
    // Without this policy, URLSession would replace a 304 by the stored response.
    var request = URLRequest(
      url: address.appending(path: path), cachePolicy: .reloadIgnoringLocalCacheData)
    request.httpMethod = method
    let bearer = try await token()
    request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization")
    request.setValue(version, forHTTPHeaderField: "If-None-Match")
    if let body {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONEncoder().encode(body)
    }
    let (data, answer) = try await URLSession.shared.data(for: request)
    guard let response = answer as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    guard (200..<300).contains(response.statusCode) || response.statusCode == 304 else {
      throw try JSONDecoder().decode(Refusal.self, from: data)
    }
    return (data, response)
  }
}
