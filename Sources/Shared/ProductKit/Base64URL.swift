package import Foundation

/// Base64 with the alphabet for URLs, without padding.
package enum Base64URL {
  /// Encodes data as a string.
  package static func text(of data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// Decodes a string, or returns nil if it is not valid.
  package static func data(of text: String) -> Data? {
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    return Data(
      base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4))
  }
}
