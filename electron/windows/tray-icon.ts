/**
 * The program's icon for the tray, in 32 × 32 pixels: `build/icons/icon.png`, made smaller (ImageMagick: `-resize 32x32
 * -strip -colors 64 PNG8:`). Its file is no part of the packed program.
 */
export const trayIcon = `data:image/png;base64,${[
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAAVFBMVEX///8OERMPEhQRFhkNDxAkOUU4XXJIepcdLDRrueVjq9RmsNohMz5eo8',
  'koQE5cn8QUGx9WlLcuS1wMDQ4zU2Y7YngZJStLgJ5DcYxRiqo/aoJNhKNeS3StAAAAAXRSTlMAQObYZgAAAPRJREFUOMutk4sOgyAMRUWeBdxE',
  'pHv9/3+O4VBRXJZsNzEBerwtUJrmTyKk3YiQIryIrsa1eKkvgfUKe38FsZpzIaXgdCkmAW0OKwmgDYBUeaWdgHfhtgN5UopLONsSmCa9M0NEmS',
  'ejcX0FEBCycwDhdwB1Heb6sXMpLV0DqC/Lbi4adw7KXF8GIbzquBpVA1IiRyNRAdgM8Jv1EWC1FBiscyMM/sDBDzDOQM3BjxmQOweaHOyN3++x',
  'hqNdsMila6wAtOdGIqLCJGl4vwEe8Zr1JKM1gHnQGUinHjullFga5qClD5qy5L5t+6b+++ZtfXx6P+kJSXMNsprYnVAAAAAASUVORK5CYII=',
].join('')}`;
