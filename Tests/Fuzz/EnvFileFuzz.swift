// Sources: Sources/OmbiWorkspace/Format/EnvFile.swift

/// Files of environment variables: names are names, each occurs once, and what is written down in quotes is read again.
@_cdecl("LLVMFuzzerTestOneInput")
func envFileFuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let file = try? EnvFile(input) else { return 0 }
    var seen: Set<String> = []
    var text = ""
    for entry in file.entries {
        precondition(seen.insert(entry.name).inserted && !entry.name.isEmpty)
        precondition(entry.name.utf8.allSatisfy { $0 < 0x80 && $0 != 0x3D && $0 > 0x20 })
        precondition(file.value(of: entry.name) == entry.value)
        var value = ""
        // By scalars: a character may be a quote and more.
        for scalar in entry.value.unicodeScalars {
            switch scalar {
            case "\\", "\"": value += "\\" + String(scalar)
            case "\n": value += "\\n"
            case "\r": value += "\\r"
            default: value.unicodeScalars.append(scalar)
            }
        }
        text += "export \(entry.name) = \"\(value)\" # comment\r\n"
    }
    precondition((try? EnvFile(Array(text.utf8))) == file)
    return 0
}
