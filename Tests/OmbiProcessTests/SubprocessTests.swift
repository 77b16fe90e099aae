import Foundation
import Testing

@testable import OmbiProcess

@Suite struct SubprocessTests {
    @Test func `a program gets no descriptors but the three that it needs`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let kept = open("/dev/null", O_RDONLY)
        defer { close(kept) }
        // Without close-on-exec, as libraries open them.
        let process = try Subprocess(["/bin/sh", "-c", "ls /dev/fd/"], files: [1: ends[1]])
        close(ends[1])
        let listed = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readDataToEndOfFile()
        #expect(process.wait() == 0)
        let numbers = String(decoding: listed, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
        // `ls` itself opens the folder.
        #expect(numbers.count <= 4 && numbers.prefix(3) == [0, 1, 2], "\(numbers)")
        #expect(!numbers.contains(kept) || kept == 3)
    }

    @Test func `a program has our variables and those that it is given`() throws {
        let pipe = try #require(Subprocess.pipe())
        let process = try Subprocess(
            ["/bin/sh", "-c", "echo \"$OMBI_TEST_GIVEN-$HOME\""], files: [1: pipe.write],
            environment: ["OMBI_TEST_GIVEN": "a=b c", "HOME": "/other"])
        close(pipe.write)
        let text = FileHandle(fileDescriptor: pipe.read, closeOnDealloc: true).readDataToEndOfFile()
        #expect(process.wait() == 0)
        #expect(String(decoding: text, as: UTF8.self) == "a=b c-/other\n")
    }

    #if os(Linux)
    @Test func `nor those that another thread opens while it starts`() throws {
        let isOver = DispatchSemaphore(value: 0)
        let opener = DispatchGroup()
        DispatchQueue.global().async(group: opener) {
            while isOver.wait(timeout: .now()) == .timedOut {
                // Without close-on-exec, as libraries open them.
                let descriptors = (0..<20).map { _ in open("/dev/null", O_RDONLY) }
                for descriptor in descriptors { close(descriptor) }
            }
        }
        for _ in 0..<50 {
            let pipe = try #require(Subprocess.pipe())
            let process = try Subprocess(["/bin/sh", "-c", "ls /dev/fd/"], files: [1: pipe.write])
            close(pipe.write)
            let listed = FileHandle(fileDescriptor: pipe.read, closeOnDealloc: true).readDataToEndOfFile()
            #expect(process.wait() == 0)
            #expect(String(decoding: listed, as: UTF8.self).split(separator: "\n").count <= 4)
        }
        isOver.signal()
        opener.wait()
    }
    #endif
}
