// Sources: Sources/OmbiWorkspace/Authentication/AWSFile.swift Sources/OmbiBase/StringProtocol+Bytes.swift

/// Texts as files of the AWS command line: keys are in lower case, an error has a line of the text, and what is written down
/// is read again.
@_cdecl("LLVMFuzzerTestOneInput")
func awsFileFuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    let file: AWSFile
    do throws(AWSFile.Failure) { file = try AWSFile(text) } catch {
        precondition((1...text.utf8.count + 1).contains(error.line) && !error.message.isEmpty, "an error has a line")
        return 0
    }
    var written = ""
    for (section, values) in file.sections {
        _ = AWSFile.profile(of: section)
        // No mark joins a tab.
        written += "[\t" + section + "\t]\r\n"
        for (key, value) in values {
            precondition(!key.isEmpty && key == key.lowercased(), "a key is in lower case")
            written += key + "\t=\t" + value + "\n"
        }
    }
    let again = try? AWSFile(written)
    precondition(again == file, "sections are read again")
    return 0
}
