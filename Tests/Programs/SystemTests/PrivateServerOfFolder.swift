import PrivateServer
import TestSupport

/// The server that `gymrats db up` makes in a folder, for taking it away again.
struct PrivateServerOfFolder {
  private let folder: TemporaryFolder

  init(_ folder: TemporaryFolder) { self.folder = folder }

  /// Stops it and removes what it has written.
  func destroy() {
    try? PrivateServer(directory: folder.path + "/.baton/postgres").destroy()
  }
}
