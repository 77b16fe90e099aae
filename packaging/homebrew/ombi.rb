# A formula for Homebrew, from source. Not tried: macOS is untried as a whole. Checked: the syntax alone.
# The version, the address of a release and its checksum are filled in where it is published.
class Ombi < Formula
  desc "API explorer for the terminal"
  homepage "@HOMEPAGE@"
  url "@HOMEPAGE@/archive/refs/tags/v@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "MIT"

  depends_on xcode: ["26.0", :build]
  depends_on macos: :sequoia
  uses_from_macos "curl"
  uses_from_macos "ncurses"
  uses_from_macos "sqlite"

  def install
    system "scripts/install", prefix
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/ombi --version").strip
    system bin/"ombi", "demo"
  end
end
