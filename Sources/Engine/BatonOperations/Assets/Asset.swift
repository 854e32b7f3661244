/// A static file of the pages, which is embedded in the program.
///
/// The path changes with the file's contents.
struct Asset: Sendable {
  let path: String
  let response: Response

  private init(_ name: String, _ ending: String, _ type: String, _ bytes: [UInt8]) {
    path = "/assets/\(name)-\(Self.hash(bytes)).\(ending)"
    response = Response(
      status: 200, type: type, body: String(decoding: bytes, as: UTF8.self),
      headers: ["cache-control": "public, max-age=31536000, immutable"])
  }

  static let style = Asset("baton", "css", "text/css; charset=utf-8", PackageResources.baton_css)
  static let script = Asset(
    "baton", "js", "text/javascript; charset=utf-8", PackageResources.baton_js)
  static let icon = Asset("baton", "svg", "image/svg+xml", PackageResources.baton_svg)

  private static let all = [style, script, icon]

  /// Returns the asset at a path, or nil if no asset has this path.
  static func at(_ path: String) -> Asset? { all.first { $0.path == path } }

  /// Returns the 64-bit FNV-1a hash, which distinguishes versions of a file but is not
  /// cryptographically secure.
  private static func hash(_ bytes: [UInt8]) -> String {
    let hash = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
