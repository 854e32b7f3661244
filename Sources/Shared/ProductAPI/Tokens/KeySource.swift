#if HTTP
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// The location of an issuer's public keys: a file or a URL.
  enum KeySource: Sendable {
    case file(String)
    case url(URL)

    /// The maximum size of the keys in bytes.
    private static let most = 1 << 20
    /// The time limit of a request in seconds.
    private static let longest = 5.0

    /// Parses an absolute path, an https URL, or an http URL that refers to this machine.
    init?(_ text: String) {
      if text.hasPrefix("/") {
        self = .file(text)
        return
      }
      guard let url = URL(string: text), Self.isSafe(url) else { return nil }
      self = .url(url)
    }

    /// Reads the keys.
    ///
    /// - Throws: ``Unreadable`` with the reason, or a Foundation error.
    func read() async throws -> Data {
      switch self {
      case .file(let path):
        let data = try Data(contentsOf: URL(filePath: path))
        guard data.count <= Self.most else { throw Unreadable(why: "the file is too large") }
        return data
      case .url(let url):
        // Each read uses a new session, because the server may have closed an older session's
        // connections.
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(
          for: URLRequest(url: url, timeoutInterval: Self.longest))
        guard let response = response as? HTTPURLResponse, response.statusCode == 200 else {
          throw Unreadable(why: "the response is not 200")
        }
        // If one of several redirects leads to plain HTTP, an attacker on the network could replace
        // the keys.
        guard response.url == url else { throw Unreadable(why: "the request was redirected") }
        guard data.count <= Self.most else { throw Unreadable(why: "the response is too large") }
        return data
      }
    }

    struct Unreadable: Error { let why: String }

    /// Returns whether a response from the URL is protected against changes by an attacker on the
    /// network.
    private static func isSafe(_ url: URL) -> Bool {
      switch url.scheme {
      case "https": url.host != nil
      case "http": ["127.0.0.1", "localhost", "::1"].contains(url.host)
      default: false
      }
    }
  }
#endif
