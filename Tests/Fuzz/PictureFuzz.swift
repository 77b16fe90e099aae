/// Any bytes, and the same behind what makes them a PNG or a JPEG: a picture within its limits, or a reason.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPicture(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Bytes(UnsafeBufferPointer(start: start, count: count))
    guard let kind = ImageKind(input) else { return 0 }
    // The libraries are quick with all of these; what they are asked for must be kept small.
    if let width = kind.width, let height = kind.height, width > 0, height > 1 << 22 / width { return 0 }
    do throws(PictureError) {
        let picture = try Picture(input, kind)
        let size = picture.bitmap.size
        precondition(size.width <= 512 && size.height <= 512, "a picture is no larger than a screen")
        let small = picture.bitmap.scaled(to: size.fitted(into: PixelSize(width: 80, height: 46)))
        precondition(small.size.width <= 80 && small.size.height <= 46, "it fits the page")
    } catch {
        precondition(!error.description.isEmpty, "there is a reason")
    }
    return 0
}
