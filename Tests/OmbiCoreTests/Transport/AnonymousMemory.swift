import Foundation

#if os(Linux)
/// How much of a range of addresses lies in memory that belongs to no file (`/proc/self/smaps`).
enum AnonymousMemory {
    static func bytes(in range: UnsafeRawBufferPointer) throws -> Int {
        let start = UInt(bitPattern: range.baseAddress)
        let end = start + UInt(range.count)
        var isInside = false
        var kilobytes = 0
        for line in try String(contentsOfFile: "/proc/self/smaps", encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").map { UInt($0, radix: 16) }
            if ends.count == 2, let from = ends[0], let to = ends[1] {
                isInside = from < end && to > start
            } else if isInside, words[0] == "Anonymous:" {
                kilobytes += Int(words[1]) ?? 0
            }
        }
        return kilobytes << 10
    }
}
#endif
