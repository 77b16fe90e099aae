import Testing

@testable import OmbiDocument

@Suite struct PictureFunctionsTests {
    @Test func `a library that is not there says what to install`() {
        #expect(throws: PictureError.missingLibrary(advice: "install libnothing")) {
            try PictureFunctions(["libnothing.so.0", "libnothing.so.1"], advice: "install libnothing")
        }
        #expect("\(PictureError.missingLibrary(advice: "install libnothing"))" == "install libnothing to see it")
    }

    @Test func `so does one that is too old`() throws {
        let library = try PictureFunctions(["libc.so.6", "libSystem.dylib"], advice: "install it")
        let find: () throws -> (@convention(c) () -> Void) = { try library.find("no_such_function") }
        #expect(throws: PictureError.missingLibrary(advice: "install it in a newer version")) { try find() }
    }
}
