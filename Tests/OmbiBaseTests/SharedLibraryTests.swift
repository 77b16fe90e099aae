import Testing

@testable import OmbiBase

@Suite struct SharedLibraryTests {
    private typealias Absolute = @convention(c) (CInt) -> CInt

    @Test func `the first library that is installed is loaded`() throws {
        let library = try #require(SharedLibrary(["libnothing.so.0", "libc.so.6", "libSystem.dylib"]))
        let function: Absolute? = library.find("abs")
        let absolute = try #require(function)
        #expect(absolute(-4) == 4)
    }

    @Test func `a library is not taken from the working directory where the loader would`() {
        let folders = ["/usr/lib/", "/opt/lib/"]
        #expect(
            SharedLibrary.paths(of: ["liba.dylib", "/x/libb.dylib"], in: folders) == [
                "/usr/lib/liba.dylib", "/opt/lib/liba.dylib", "/x/libb.dylib",
            ])
        #expect(SharedLibrary.paths(of: ["liba.so.1"], in: nil) == ["liba.so.1"])
    }

    @Test func `a library that is not installed is nil`() {
        let isInstalled = SharedLibrary(["libnothing.so.0", "libnothing.so.1"]) != nil
        #expect(!isInstalled)
    }

    @Test func `a function that the library does not have is nil`() throws {
        let library = try #require(SharedLibrary(["libc.so.6", "libSystem.dylib"]))
        let function: Absolute? = library.find("no_such_function")
        let isThere = function != nil
        #expect(!isThere)
    }
}
