/**
 * Phaser with only what a board needs: the game, scenes, images, layers, the camera and the WebGL renderer. The full
 * build also carries physics, tile maps, sound, loaders and input, which this page never uses (see vite.config.ts).
 * A part that is missing here fails at once and loudly: the board's end-to-end tests run on this very bundle.
 */
// First: the render nodes need each other in circles, and only this way in meets them whole.
require("phaser-src/renderer");
require("phaser-src/events/EventEmitter");
require("phaser-src/cameras/2d/CameraManager");
require("phaser-src/gameobjects/DisplayList");
require("phaser-src/gameobjects/UpdateList");
require("phaser-src/gameobjects/GameObjectCreator");
require("phaser-src/gameobjects/GameObjectFactory");
require("phaser-src/gameobjects/image/ImageFactory");
require("phaser-src/gameobjects/layer/LayerFactory");
require("phaser-src/scene/ScenePlugin");

exports.WEBGL = require("phaser-src/const").WEBGL;
exports.Game = require("phaser-src/core/Game");
exports.Scene = require("phaser-src/scene/Scene");
exports.Scale = { NONE: 0 };
exports.Textures = { NEAREST: require("phaser-src/textures/const").NEAREST };
exports.GameObjects = { Image: require("phaser-src/gameobjects/image/Image") };
