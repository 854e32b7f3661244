package import Foundation

/// The error that a product's API returned, with the response body's fields.
package struct APIFailure: Error, Sendable {
  package let status: Int
  /// The code of the error, or nil if the response does not come from a product's API.
  package let code: String?
  package let sqlState: String?
  package let groupId: String?
  /// For the `rateLimited` error, the number of seconds to wait before the next request.
  package let seconds: String?
  /// The error and its place, for developers.
  package let text: String

  /// Reads the fields of an error's body.
  package init(status: Int, body: Data) {
    let fields = try? JSONDecoder().decode(Fields.self, from: body)
    self.status = status
    // For an app, the user of the call is not signed in.
    code = fields?.code == "otherUser" ? "notAuthenticated" : fields?.code
    sqlState = fields?.sqlState
    groupId = fields?.groupId
    seconds = fields?.seconds
    text = [fields?.error, fields?.where].compactMap(\.self).joined(separator: " ")
  }

  /// Whether the requested path does not exist on the server.
  ///
  /// Status 405 means that the server has a route with this path, but only for another method.
  package var isUnknownPath: Bool {
    status == 404 && code == "noSuchPath" || status == 405 && code == "otherMethod"
  }

  /// Whether a later request may succeed, according to the status alone.
  package var isTemporary: Bool { [408, 425, 429, 502, 503, 504].contains(status) }

  /// The error that an app gets if the response contains no product error.
  package var unexpected: UnexpectedResponse {
    UnexpectedResponse(status: status, code: code, text: text)
  }

  private struct Fields: Decodable {
    let code: String?
    let sqlState: String?
    let groupId: String?
    let seconds: String?
    let error: String?
    let `where`: String?
  }
}

/// The error for an unexpected response, such as a server fault or a proxy's error page.
public struct UnexpectedResponse: Error, Hashable, Sendable, CustomStringConvertible {
  /// The status code of the response.
  public let status: Int
  /// The code in the response's body, or nil if it contains none.
  public let code: String?
  /// The error and its place, or an empty string if the body contains no text.
  public let text: String

  /// The status, the code and the text.
  public var description: String { "HTTP \(status) \(code ?? "without a code"): \(text)" }
}
