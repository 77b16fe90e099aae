/// Changes a YAML text to one that libyaml reads.
enum YAMLGuard {
    /// Returns the text with spaces for the tabs of lines that have nothing else, which libyaml refuses.
    static func withoutTabs(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x09) else { return bytes }
        var result = bytes
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            if bytes[start..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                for index in start..<end { result[index] = 0x20 }
            }
            start = end + 1
        }
        return result
    }
}
