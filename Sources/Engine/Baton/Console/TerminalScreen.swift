import Foundation

/// A terminal on which a command draws the whole screen.
///
/// When the command ends, it restores the terminal.
///
/// Only one task at a time may use a screen.
final class TerminalScreen {
  /// The size of a terminal in columns and lines.
  struct Size: Equatable {
    let columns, lines: Int
  }

  private var before = termios()
  private var hasKeys = false
  private var isOpen = false

  /// Whether stdout is a terminal.
  static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The size of the terminal, or 80 by 24 if the size is unknown.
  static var size: Size {
    var window = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return Size(columns: 80, lines: 24) }
    return Size(columns: Int(window.ws_col), lines: Int(window.ws_row))
  }

  /// Switches to the alternate screen, hides the cursor, and disables line buffering and echo of
  /// the keyboard.
  ///
  /// Ctrl-C still sends a signal. Ctrl-Z is disabled, because suspending the command would leave
  /// the shell on the alternate screen.
  func open() {
    guard !isOpen else { return }
    isOpen = true
    if isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &before) == 0 {
      var raw = before
      raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
      withUnsafeMutableBytes(of: &raw.c_cc) { $0[Int(VSUSP)] = 0 }
      hasKeys = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0
    }
    Console.writeRaw("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// Draws lines from the top, cut to the screen's size, and clears the rest of the screen.
  func draw(_ lines: [String], _ size: Size) {
    let shown = lines.prefix(size.lines).map {
      String($0.printable().prefix(size.columns)) + "\u{1B}[K"
    }
    Console.writeRaw("\u{1B}[H" + shown.joined(separator: "\r\n") + "\u{1B}[J")
  }

  /// Restores the terminal, or does nothing if the terminal is already restored.
  func close() {
    guard isOpen else { return }
    isOpen = false
    Console.writeRaw("\u{1B}[?25h\u{1B}[?1049l")
    if hasKeys { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
  }
}
