import Foundation
import Testing

@testable import OmbiTUI

@Suite struct StandardStreamsTests {
    @Test func `what a device does not take is an error, once`() {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        let output = ResultOutput(full)
        #expect(output.failure == nil && !output.isClosed)
        [UInt8]("text".utf8).withUnsafeBytes { output.write($0) }
        #expect(output.failure == "No space left on device" && output.isClosed)
    }
}
