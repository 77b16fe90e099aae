import OmbiBase
import Testing

@Suite struct SharedLibraryTests {
    private typealias Absolute = @convention(c) (CInt) -> CInt

    @Test func `the first library that is installed is loaded`() throws {
        let library = try #require(SharedLibrary(["libnothing.so.0", "libc.so.6", "libSystem.dylib"]))
        let function: Absolute? = library.find("abs")
        let absolute = try #require(function)
        #expect(absolute(-4) == 4)
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
