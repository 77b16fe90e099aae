import Foundation
import Testing

@testable import OmbiTerminal

@Suite struct DescriptorTests {
    @Test func `a pipe that does not block gets everything`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        _ = fcntl(writing, F_SETFL, fcntl(writing, F_GETFL) | O_NONBLOCK)
        let count = 1 << 20
        Thread.detachNewThread {
            let bytes = [UInt8](repeating: 7, count: count)
            _ = bytes.withUnsafeBytes { Descriptor.write($0, to: writing) }
            close(writing)
        }
        var got = 0
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let more = read(reading, &buffer, buffer.count)
            guard more > 0 else { break }
            got += more
        }
        #expect(got == count)
    }
}
