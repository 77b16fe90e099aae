/// A width and a height in pixels.
public struct PixelSize: Sendable, Equatable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Returns the largest size of the same shape that exceeds neither this one nor `room`. No side is below 1.
    public func fitted(into room: PixelSize) -> PixelSize {
        let (roomWidth, roomHeight) = (max(1, room.width), max(1, room.height))
        guard width > roomWidth || height > roomHeight else { return self }
        let (width, height) = (Double(max(1, width)), Double(max(1, height)))
        let scale = min(Double(roomWidth) / width, Double(roomHeight) / height)
        return PixelSize(
            width: min(roomWidth, max(1, Int((width * scale).rounded()))),
            height: min(roomHeight, max(1, Int((height * scale).rounded()))))
    }
}
